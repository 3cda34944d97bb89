"""Devices joined to a fabric, the plan for it, and a class carried over its links."""
