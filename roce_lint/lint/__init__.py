"""The rule engine: rule files, their expressions, scopes, outcomes."""
