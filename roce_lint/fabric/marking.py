"""What a plan wants of the marking at one port: of its entries, the first that fits the port and states the value."""

from __future__ import annotations

from roce_lint.fabric.selectors import fits
from roce_lint.model.devices import Device
from roce_lint.model.facts import Fact
from roce_lint.model.outcome import Missing
from roce_lint.model.plan import FabricPlan
from roce_lint.model.ports import Port


def threshold(plan: FabricPlan, name: str, device: Device, port: Port) -> Fact[object] | Missing | None:
    """The wanted value of a field of `Ecn` at a port; None where no entry states one.

    Missing where it hangs on what the port does not state, such as its speed.
    """
    for each in plan.ecn:
        fact: Fact[object] | None = getattr(each, name, None)
        fit = fits(each.match, device, port, plan.roles) if fact is not None else False
        if isinstance(fit, str):
            return Missing(((device.name, fit),))
        if fit:
            return fact
    return None
