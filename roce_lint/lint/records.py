"""A device, a job and the plan as rules read them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import cast

from roce_lint.fabric.contradictions import Contradiction
from roce_lint.fabric.hops import DATA_ROLES, Reach
from roce_lint.fabric.views import PortView, Result
from roce_lint.lint.kinds import Kind
from roce_lint.model.devices import Device, Gid, Hcas, Job, PortName, Rdma
from roce_lint.model.facts import Table
from roce_lint.model.finding import Cite
from roce_lint.model.outcome import Derived, Missing, union
from roce_lint.model.paths import stated
from roce_lint.model.plan import FabricPlan


class DeviceView:
    """The facts of a device."""

    undefined_names: frozenset[str]
    unattached_names: frozenset[str]
    version: str
    model: str
    asic: str
    buffer_model: str
    roce_mode: str

    def __init__(self, device: Device) -> None:
        self.device = device

    def __str__(self) -> str:
        return self.device.name

    def read(self, path: str) -> Result[object]:
        fact = stated(self.device, path)
        if fact is None:
            return Missing(((self.device.name, path),))
        return Derived(fact.value, (Cite(path, fact, self.device.name),))


class _Limits:
    max_lossless: int
    pfc_mode: str
    global_pause: bool
    allow_dscp_block: bool


class _Watchdog:
    required: str
    poll_ms: int
    action: str


class _Buffers:
    alpha_min: float
    max_shp_oversub: float
    mode: str
    headroom_floor: str


class _Mtu:
    host: int
    switch_min: int
    rdma: int


class _Nic:
    cc: str
    np: str
    rp: str
    cnp_dscp: int
    cc_prio_mask: int
    trust: str
    persist: str


SETTINGS: Mapping[str, Kind] = {
    "limits": Kind("record", record=_Limits),
    "watchdog": Kind("record", record=_Watchdog),
    "buffers": Kind("record", record=_Buffers),
    "mtu": Kind("record", record=_Mtu),
    "nic": Kind("record", record=_Nic),
}


class PlanView:
    """What is wanted of a fabric."""

    def __init__(self, plan: FabricPlan | None) -> None:
        self.plan = plan

    def __str__(self) -> str:
        return self.plan.name if self.plan is not None else "no plan"

    def read(self, path: str) -> Result[object]:
        if self.plan is None:
            return Missing(((None, "plan"),))
        if "." not in path:
            return cast("Result[object]", getattr(self, path))
        fact = self.plan.settings.get(path)
        return Missing(((None, f"{path} in the plan"),)) if fact is None else Derived(fact.value, (Cite(path, fact),))

    def _classes(self, roles: frozenset[str]) -> list[tuple[frozenset[int], Cite]]:
        found = []
        for want in self.plan.classes if self.plan is not None else ():
            if want.role.value in roles and want.dscp is not None:
                found.append((want.dscp.value, Cite(f"classes.{want.name}.dscp", want.dscp)))
        return found

    @cached_property
    def data_dscps(self) -> Result[frozenset[int]]:
        """The DSCPs of the classes that carry bulk RDMA data."""
        found = self._classes(DATA_ROLES)
        if not found:
            return Missing(((None, "the DSCP of the data classes in the plan"),))
        return Derived(frozenset().union(*(dscps for dscps, _ in found)), union(*((cite,) for _, cite in found)))

    @cached_property
    def wants_alpha(self) -> Result[bool]:
        """Whether the plan states a least alpha."""
        return Derived(self.plan is not None and "buffers.alpha_min" in self.plan.settings, ())

    @cached_property
    def data_pcps(self) -> Result[frozenset[int]]:
        """The PCPs of the classes that carry bulk RDMA data."""
        wants = [want for want in (self.plan.classes if self.plan is not None else ()) if want.role.value in DATA_ROLES]
        cites = tuple(Cite(f"classes.{want.name}.pcp", want.pcp) for want in wants if want.pcp is not None)
        if not cites:
            return Missing(((None, "the PCP of the data classes in the plan"),))
        return Derived(frozenset().union(*(want.pcp.value for want in wants if want.pcp is not None)), cites)

    @cached_property
    def cnp_dscps(self) -> Result[frozenset[int]]:
        """The DSCPs of the classes that carry congestion notification."""
        found = self._classes(frozenset({"cnp"}))
        if not found:
            return Missing(((None, "a CNP class in the plan"),))
        return Derived(frozenset().union(*(dscps for dscps, _ in found)), union(*((cite,) for _, cite in found)))

    @cached_property
    def pfc_priorities(self) -> Result[frozenset[int]]:
        """The PFC indices of the lossless classes."""
        wants = [want for want in (self.plan.classes if self.plan is not None else ()) if want.loss.value not in ("lossy", "global_pause")]
        if any(want.pfc_priority is None for want in wants):
            return Missing(((None, "pfc_priority of a lossless class"),))
        facts = {want.name: want.pfc_priority for want in wants if want.pfc_priority is not None}
        cites = tuple(Cite(f"classes.{name}.pfc_priority", fact) for name, fact in facts.items())
        return Derived(frozenset(fact.value for fact in facts.values()), cites)

    @cached_property
    def best_effort_index(self) -> Result[bool]:
        """Whether a data class of the plan rides on PFC index 0."""
        found = self.pfc_priorities
        return found if isinstance(found, Missing) else Derived(0 in found.value, found.cites)


class FabricView:
    """What holds of the fabric as a whole."""

    def __init__(self, reach: Reach, plan: FabricPlan | None) -> None:
        self.reach, self.plan = reach, plan

    def read(self, path: str) -> Result[object]:
        return cast("Result[object]", getattr(self, path))

    @property
    def rdma_mtu(self) -> Result[int]:
        """The largest RDMA MTU that is used in the fabric, in bytes."""
        return self.reach.rdma_mtu(self.plan)

    @property
    def host_mtu(self) -> Result[int]:
        """The largest MTU of an in-scope NIC, in bytes of the IP packet."""
        return self.reach.host_mtu

    @property
    def least_rdma_mtu(self) -> Result[int]:
        """An RDMA MTU that is certainly used in the fabric, though a larger one may be, in bytes."""
        return self.reach.least_rdma_mtu(self.plan)


class Contradicted:
    """What a plan says against itself; consistent where it says nothing so."""

    def __init__(self, contradiction: Contradiction | None) -> None:
        self.contradiction = contradiction

    def read(self, path: str) -> Result[object]:
        return cast("Result[object]", getattr(self, path))

    @cached_property
    def consistent(self) -> Result[bool]:
        """Whether the plan does not contradict itself."""
        return Derived(self.contradiction is None, self.contradiction.cites if self.contradiction is not None else ())

    @cached_property
    def text(self) -> Result[str]:
        """What contradicts what."""
        return Derived(self.contradiction.text if self.contradiction is not None else "", ())


class JobView:
    """An application on a host: its settings, what follows from them, and the RDMA devices that it may use."""

    def __init__(self, device: Device, job: Job, reach: Reach) -> None:
        self.device, self.job, self.reach = device, job, reach

    def __str__(self) -> str:
        return f"{self.job.name} of {self.device.name}"

    def read(self, path: str) -> Result[object]:
        return cast("Result[object]", getattr(self, path))

    def _fact(self, name: str) -> Result[object]:
        fact = stated(self.job, name)
        if fact is None:
            return Missing(((self.device.name, name),))
        return Derived(fact.value, (Cite(name, fact, self.device.name),))

    @cached_property
    def traffic_class(self) -> Result[int]:
        """The traffic-class byte that the job sets."""
        return cast("Result[int]", self._fact("traffic_class"))

    @cached_property
    def file(self) -> Result[str]:
        """The name of the file that the settings stand in, without its folder."""
        return Derived(self.job.name.rsplit("/", 1)[-1], ())

    @cached_property
    def service_level(self) -> Result[int]:
        """The service level that the job sets."""
        return cast("Result[int]", self._fact("service_level"))

    @cached_property
    def gid_index(self) -> Result[int]:
        """The GID index that the job sets."""
        return cast("Result[int]", self._fact("gid_index"))

    @cached_property
    def sets_gid_index(self) -> Result[bool]:
        """Whether the job names a GID index at all."""
        return Derived(self.job.gid_index is not None, ())

    @cached_property
    def sets_service_level(self) -> Result[bool]:
        """Whether the job names a service level."""
        return Derived(self.job.service_level is not None, ())

    @cached_property
    def sets_traffic_class(self) -> Result[bool]:
        """Whether the job names a traffic class."""
        return Derived(self.job.traffic_class is not None, ())

    @cached_property
    def ecn_bits(self) -> Result[int]:
        """The two low bits of the traffic-class byte."""
        byte = self.traffic_class
        return byte if isinstance(byte, Missing) else Derived(byte.value & 3, byte.cites)

    @cached_property
    def effective_dscp(self) -> Result[int]:
        """The DSCP of the job's packets: the kernel's override of the RDMA devices, else the variable, else the library's default."""
        overrides = [self._override(rdma) for rdma in self.rdma_devices]
        given = [each for each in overrides if each is not None]
        if given and len(given) == len(overrides):
            values = {each.value for each in given}
            if len(values) == 1:
                return Derived(given[0].value >> 2, union(*(each.cites for each in given)))
            return Missing(((self.device.name, "one global_tclass for the RDMA devices of the job"),))
        byte = self.traffic_class
        if isinstance(byte, Missing):
            default = cast("Result[int]", self._fact("default_traffic_class"))
            if isinstance(default, Missing) or not self.rdma_devices:
                return byte
            byte = default
        return Derived(byte.value >> 2, byte.cites)

    def _override(self, rdma: Rdma) -> Derived[int] | None:
        fact = stated(rdma, "global_tclass")
        return None if fact is None else Derived(cast(int, fact.value), (Cite("global_tclass", fact, self.device.name),))

    @cached_property
    def rdma_devices(self) -> tuple[Rdma, ...]:
        """The collected RDMA devices that the job may use: those that its list of HCAs takes in, all where it has none."""
        hcas = self.job.hcas.value if self.job.hcas is not None else None
        return tuple(rdma for rdma in self.device.rdma.values() if _usable(rdma) and (hcas is None or _taken(rdma.name, hcas)))

    @cached_property
    def plan(self) -> FabricPlan | None:
        """The plan of the ports that the job's RDMA devices stand on, None where that is none or not one."""
        plans = {
            id(plan): plan
            for rdma in self.rdma_devices
            if rdma.netdev is not None and (plan := self.reach.plan(PortName(self.device.name, rdma.netdev.value))) is not None
        }
        return next(iter(plans.values())) if len(plans) == 1 else None

    @cached_property
    def trusts(self) -> Result[frozenset[str]]:
        """The trust modes of the job's ports and of the switch ports beside them."""
        found: set[str] = set()
        cites: list[tuple[Cite, ...]] = []
        missing: Missing | None = None
        for view in self._views():
            trust = view.fact("trust")
            if isinstance(trust, Missing):
                missing = trust
            else:
                found.add(str(trust.value))
                cites.append(trust.cites)
        if not found or missing is not None:
            return missing or Missing(((self.device.name, "trust of the path"),))
        return Derived(frozenset(found), union(*cites))

    def _views(self) -> list[PortView]:
        names = [PortName(self.device.name, rdma.netdev.value) for rdma in self.rdma_devices if rdma.netdev is not None]
        links = [self.reach.links[name] for name in names if name in self.reach.links]
        near = [self.reach.views[name] for name in names if name in self.reach.views]
        return near + [self.reach.views[end] for link in links for end in (link.a, link.b) if end in self.reach.views and end not in names]

    @cached_property
    def gid_usable(self) -> Result[bool]:
        """Whether the GID at the job's index is RoCE v2 and routable on each of its RDMA devices that states a GID table."""
        index = self.gid_index
        if isinstance(index, Missing):
            return index
        tables = [(rdma, rdma.gids) for rdma in self.rdma_devices if rdma.gids is not None]
        if not tables:
            return Missing(((self.device.name, "gids"),))
        cites: list[tuple[Cite, ...]] = []
        for _, fact in tables:
            gid = fact.value.get(index.value)
            if gid is None:
                if _routable(fact.value):
                    return Derived(False, union(index.cites, (Cite("gids", fact, self.device.name),)))
                return Missing(((self.device.name, f"gids[{index.value}]"),))
            cite = Cite(f"gids[{index.value}]", gid, self.device.name)
            if gid.value.type == "v1" or gid.value.link_local:
                better = _routable(fact.value)
                return Derived(False, union(index.cites, (cite,))) if better else Missing(((self.device.name, "a GID that can be routed"),))
            if gid.value.type is None:
                return Missing(((self.device.name, f"the RoCE version of gids[{index.value}]"),))
            cites.append((cite,))
        return Derived(True, union(index.cites, *cites))


def _routable(table: Table[Gid]) -> bool:
    """Whether a GID table has a RoCE v2 GID that a router forwards."""
    return any(entry.value.type == "v2" and not entry.value.link_local for entry in table.entries.values())


def _usable(rdma: Rdma) -> bool:
    return not (rdma.link_layer is not None and rdma.link_layer.value == "infiniband")


def _taken(name: str, hcas: Hcas) -> bool:
    found = any(name == each if hcas.exact else name.startswith(each) for each in hcas.names)
    return found is not hcas.excluded
