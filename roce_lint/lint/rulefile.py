"""A rule file as a user writes it: rules/<family>/<id>.yaml."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from roce_lint.lint.rules import Blame, Written
from roce_lint.lint.scopes import Needs, Scope
from roce_lint.model.finding import Severity


class Graded(BaseModel):
    """A severity that holds under a condition; without `when` it holds where none before did."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)
    when: str | None = None
    severity: Severity = Field(alias="is")


class Example(BaseModel):
    """The scope's clean subject with changes, and the outcome that the rule must have for it."""

    model_config = ConfigDict(extra="forbid")
    name: str
    given: dict[str, Any] | list[dict[str, Any]] = Field(default_factory=dict)
    then: Literal["pass", "fail", "unknown", "not_applicable"]
    severity: Severity | None = None


class RuleFile(BaseModel):
    """rules/<family>/<id>.yaml."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)
    id: str = Field(pattern=r"^[a-z]+(-[a-z]+)+$")
    title: str
    severity: Severity | list[Graded]
    scope: Scope
    needs: Needs | None = None
    when: str | None = None
    expect: str | None = None
    same: str | None = None
    across: list[str] | None = None
    check: str | None = None
    params: dict[str, int | float | str | bool] = Field(default_factory=dict)
    blame: Blame = "auto"
    message: str
    why: str
    exception: str | None = Field(default=None, alias="except")
    fix: str | list[dict[str, str]] = "plan"
    caused_by: list[str] = Field(default_factory=list)
    references: list[str]
    examples: list[Example] = Field(default_factory=list)

    def written(self) -> Written:
        """The same as a plain record, with its severities in one form."""
        graded = self.severity if isinstance(self.severity, list) else [Graded.model_validate({"is": self.severity})]
        return Written(
            id=self.id,
            title=self.title,
            severities=tuple((each.when, each.severity) for each in graded),
            scope=self.scope,
            needs=self.needs,
            when=self.when,
            expect=self.expect,
            same=self.same,
            across=tuple(self.across) if self.across is not None else None,
            check=self.check,
            params=self.params,
            blame=self.blame,
            message=self.message,
            caused_by=tuple(self.caused_by),
            references=tuple(self.references),
            examples=tuple(self.examples),
        )
