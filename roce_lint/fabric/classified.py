"""Where a port takes a class in: the priority it gives the mark, the group that receives it, and the buffer of that group."""

from __future__ import annotations

from functools import cached_property
from typing import cast

from roce_lint.fabric.views import INDICES, Mark, PortView, Result
from roce_lint.model.outcome import Derived, Missing, union
from roce_lint.model.ports import Port


class Classified:
    """A class at a port, by the port's own maps and buffers."""

    port: Port

    def __init__(self, view: PortView, mark: Mark) -> None:
        self.view, self.mark, self.want = view, mark, mark.want
        self.device, self.port = view.device, view.port

    def __str__(self) -> str:
        return str(self.view.name)

    def read(self, path: str) -> Result[object]:
        """A raw fact below `port.`, or what follows for the class here."""
        return self.view.read(path[5:]) if path.startswith("port.") else cast("Result[object]", getattr(self, path))

    def _missing(self, what: str) -> Missing:
        return Missing(((self.device.name, what),))

    @cached_property
    def priority(self) -> Result[int]:
        """The internal priority that the port gives the mark."""
        if self.mark.unsaid is not None:
            return self.mark.unsaid
        if not self.mark.stated:
            return self._by_index()
        trust = self.view.fact("trust")
        if isinstance(trust, Missing):
            return trust
        path = self._deciding(str(trust.value))
        found = path if isinstance(path, Missing) else self.view.fact(path)
        if isinstance(found, Missing):
            return found
        sent = (self.mark.sent,) if self.mark.sent is not None else ()
        return Derived(cast(int, found.value), union(found.cites, sent, trust.cites))

    def _deciding(self, trust: str) -> str | Missing:
        """The path of the fact that decides under a trust mode; missing where it needs a mark that the class does not state."""
        if trust in ("dscp", "both"):
            return f"dscp_to_priority[{self.mark.dscp}]" if self.mark.dscp is not None else self._missing(f"the DSCP of {self.want.name}")
        if trust != "pcp" or self.mark.pcp is None:
            return "default_priority"
        tagged = self.view.tagged
        if isinstance(tagged, Missing):
            return tagged
        return f"pcp_to_priority[{self.mark.pcp}]" if tagged.value else "default_priority"

    def _by_index(self) -> Result[int]:
        same = self.view.fact("pfc.index_is_priority")
        if isinstance(same, Missing) or not same.value or self.want.pfc_priority is None:
            return self._missing(f"the mark of {self.want.name}")
        return Derived(self.want.pfc_priority.value, same.cites)

    @cached_property
    def group(self) -> Result[int]:
        """The priority group that the class is received into."""
        if not self.mark.stated and self.want.pfc_priority is not None:
            found = self.view.fact(f"pfc.group[{self.want.pfc_priority.value}]")
            return found if isinstance(found, Missing) else Derived(cast(int, found.value), found.cites)
        return self._mapped("priority_to_group")

    @cached_property
    def own_queue(self) -> Result[int]:
        """The egress queue that this port's maps lead the class to."""
        if not self.mark.stated and self.want.pfc_priority is not None:
            found = self.view.fact(f"pfc.queue[{self.want.pfc_priority.value}]")
            return found if isinstance(found, Missing) else Derived(cast(int, found.value), found.cites)
        return self._mapped("priority_to_queue")

    def _mapped(self, table: str) -> Result[int]:
        priority = self.priority
        if isinstance(priority, Missing):
            return priority
        found = self.view.fact(f"{table}[{priority.value}]")
        if isinstance(found, Missing):
            return found
        return Derived(cast(int, found.value), union(found.cites, priority.cites))

    @cached_property
    def lossless(self) -> Result[bool]:
        """Whether the class is received into a lossless group."""
        by_driver = self._by_driver()
        if by_driver is not None:
            return by_driver
        group = self.group
        if isinstance(group, Missing):
            return group
        found = self.view.fact(f"groups[{group.value}].lossless")
        return found if isinstance(found, Missing) else Derived(bool(found.value), union(found.cites, group.cites))

    def _by_driver(self) -> Result[bool] | None:
        """Losslessness where the driver makes the buffer of a PFC priority lossless; None where that is the platform's own setting."""
        makes = self.view.fact("pfc.makes_lossless")
        if isinstance(makes, Missing) or not makes.value:
            return None
        on, priority = self.view.fact("pfc.priorities"), self.priority
        if isinstance(on, Missing):
            return on
        if not on.value:
            return Derived(False, union(on.cites))
        if isinstance(priority, Missing):
            return priority
        if priority.value in cast(frozenset[int], on.value):
            return Derived(True, union(priority.cites, on.cites))
        group = self.group
        if isinstance(group, Missing):
            return group
        beside = [self.view.fact(f"priority_to_group[{index}]") for index in sorted(cast(frozenset[int], on.value))]
        shared = any(isinstance(each, Derived) and each.value == group.value for each in beside)
        unknown = next((each for each in beside if isinstance(each, Missing)), None)
        return Derived(shared, union(group.cites, on.cites)) if shared or unknown is None else unknown

    @cached_property
    def reacts(self) -> Result[bool]:
        """Whether the NIC's reaction point is on for the priority of the class."""
        priority, points = self.priority, self.view.fact("rp.priorities")
        if isinstance(priority, Missing) or isinstance(points, Missing):
            return points if isinstance(points, Missing) else cast(Missing, priority)
        found = self.view.fact(f"rp.priorities[{priority.value}]")
        return found if isinstance(found, Missing) else Derived(bool(found.value), union(found.cites, priority.cites))

    @cached_property
    def notifies(self) -> Result[bool]:
        """Whether the NIC's notification point is on: for the whole port, where it is on for any priority (sysfs roce_np of MLNX_OFED)."""
        own = self.priority.value if isinstance(self.priority, Derived) else 0
        found = [self.view.fact(f"np.priorities[{priority}]") for priority in sorted(INDICES, key=lambda each: (each != own, each))]
        on = next((each for each in found if isinstance(each, Derived) and each.value), None)
        if on is not None:
            return Derived(True, on.cites)
        unknown = next((each for each in found if isinstance(each, Missing)), None)
        return unknown or Derived(False, union(*(each.cites for each in found if isinstance(each, Derived))))

    @cached_property
    def tagged(self) -> Result[bool]:
        """Whether frames carry a VLAN tag here."""
        return self.view.tagged

    @cached_property
    def nic(self) -> Result[bool]:
        """Whether the port is a host's."""
        return self.view.nic

    @cached_property
    def some_lossless(self) -> Result[bool]:
        """Whether any group of the port is lossless."""
        return self.view.some_lossless

    @cached_property
    def has_headroom(self) -> Result[bool]:
        """Whether the group of the class has headroom: bytes, a share of a pool, or what the platform computes itself."""
        group, groups = self.group, self.view.fact("groups")
        if isinstance(group, Missing):
            return groups if isinstance(groups, Missing) else group
        base = f"groups[{group.value}]"
        automatic = self.view.fact(f"{base}.automatic_headroom")
        if not isinstance(automatic, Missing) and automatic.value:
            return Derived(True, union(automatic.cites))
        xoff = self.view.fact(f"{base}.xoff_bytes")
        if not isinstance(xoff, Missing):
            shared = self.view.fact(f"{base}.pool.shared_headroom_bytes")
            if cast(int, xoff.value) > 0:
                return Derived(True, union(xoff.cites, group.cites))
            return shared if isinstance(shared, Missing) else Derived(cast(int, shared.value) > 0, union(xoff.cites, group.cites))
        size = self.view.fact(f"{base}.size_bytes")
        if not isinstance(size, Missing) and self._by_driver() is not None:
            return Derived(cast(int, size.value) > 0, union(size.cites, group.cites))
        return xoff

    @cached_property
    def headroom_bytes(self) -> Result[int]:
        """The headroom of the group of the class as stated."""
        group = self.group
        if isinstance(group, Missing):
            return group
        xoff = self.view.fact(f"groups[{group.value}].xoff_bytes")
        return xoff if isinstance(xoff, Missing) else Derived(cast(int, xoff.value), union(xoff.cites, group.cites))

    @cached_property
    def shared_headroom(self) -> Result[bool]:
        """Whether the pool of the group of the class has headroom that its groups share."""
        group = self.group
        if isinstance(group, Missing):
            return group
        shared = self.view.fact(f"groups[{group.value}].pool.shared_headroom_bytes")
        return shared if isinstance(shared, Missing) else Derived(cast(int, shared.value) > 0, shared.cites)

    @cached_property
    def alpha(self) -> Result[float]:
        """The dynamic threshold of the group of the class."""
        group = self.group
        if isinstance(group, Missing):
            return group
        found = self.view.fact(f"groups[{group.value}].alpha")
        return found if isinstance(found, Missing) else Derived(cast(float, found.value), union(found.cites, group.cites))

    @cached_property
    def limit_bytes(self) -> Result[int]:
        """The static threshold of the group of the class."""
        group = self.group
        if isinstance(group, Missing):
            return group
        found = self.view.fact(f"groups[{group.value}].limit_bytes")
        return found if isinstance(found, Missing) else Derived(cast(int, found.value), union(found.cites, group.cites))

    @cached_property
    def pool_bytes(self) -> Result[int]:
        """The size of the pool of the group of the class."""
        group = self.group
        if isinstance(group, Missing):
            return group
        found = self.view.fact(f"groups[{group.value}].pool.size_bytes")
        return found if isinstance(found, Missing) else Derived(cast(int, found.value), union(found.cites, group.cites))
