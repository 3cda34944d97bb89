"""What a line of a shell script sets, prints, passes on and removes."""

from __future__ import annotations

import pytest

from roce_lint.platforms.nccl.shell import settings


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("export A=1", [("A", "1")]),
        ("  export A=1 B=2   # both", [("A", "1"), ("B", "2")]),
        ("A=1", [("A", "1")]),
        ("A=1 B='2 3' run --x C=4", [("A", "1"), ("B", "2 3")]),
        ('declare -x A="a b"', [("A", "a b")]),
        ("setenv A 1", [("A", "1")]),
        ("env A=1 run", [("A", "1")]),
        ('if [ -n "$X" ]; then export A=1; B=2; fi', [("A", "1"), ("B", "2")]),
        ("test -e x && export A=1 || A=0", [("A", "1"), ("A", "0")]),
        ("(export A=1)", [("A", "1")]),
        ("mpirun -np 2 -x A=1 -x B ./run -x C=3", [("A", "1"), ("C", "3")]),
        ("docker run -e 'A=1' --env B=2 image", [("A", "1"), ("B", "2")]),
        ("srun --export=ALL,A=1,B=2 run", [("A", "1"), ("B", "2")]),
        ("export A=", [("A", "")]),
        ("export A", []),
        ("export A=${B:-1}", [("A", "${B:-1}")]),
        ("A=a#b", [("A", "a#b")]),
        (r"A=a\ b", [("A", "a b")]),
        ("unset A B", [("A", None), ("B", None)]),
        ('echo "A=1"', []),
        ("echo export A=1", []),
        ("# export A=1", []),
        ('A="unbalanced', [("A", "unbalanced")]),
        ("", []),
        (";;", []),
    ],
)
def test_a_line_sets_what_the_shell_would_set(line: str, expected: list[tuple[str, str | None]]) -> None:
    assert list(settings(line)) == expected
