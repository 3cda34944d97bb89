"""Whether RDMA packets of the fabric's largest MTU fit the ports of a link."""

from __future__ import annotations

from typing import cast

from roce_lint.checks.check import Bound, Check, Checked, Env, Params
from roce_lint.fabric.pipeline import End
from roce_lint.model.finding import Cite
from roce_lint.model.outcome import Derived, Missing, union

LAYER_3_HEADERS = 44  # IPv4 20, UDP 8, BTH 12, invariant CRC 4: the least that a RoCEv2 packet adds to its payload
LAYER_2_HEADERS = 58  # and the Ethernet header
ETHERNET_HEADER, TAGGED_HEADER = 14, 18
Cites = tuple[Cite, ...]


def rdma_fits(env: Env, params: Params) -> Checked:
    """Whether the switch ports of a hop carry the fabric's RDMA MTU with the least headers a packet can have.

    A NIC's RDMA MTU follows from its own interface.
    """
    least = env["fabric"].read("least_rdma_mtu")
    if isinstance(least, Missing):
        return Checked(least)
    missing: Missing | None = None
    cites = [least.cites]
    for name in ("sender", "receiver"):
        end = env[name]
        nic, mtu, kind = end.read("nic"), end.read("port.mtu"), end.read("port.mtu_kind")
        if isinstance(nic, Missing) or nic.value:
            missing = nic if isinstance(nic, Missing) else missing
        elif isinstance(mtu, Missing):
            missing = mtu
        else:
            layer_2 = isinstance(kind, Derived) and kind.value == "l2"
            size, needed = cast(int, mtu.value), cast(int, least.value) + (LAYER_2_HEADERS if layer_2 else LAYER_3_HEADERS)
            if size < needed:
                terms = {"end": str(cast(End, end)), "mtu": size, "needed": needed, "rdma_mtu": least.value}
                return Checked(Derived(False, union(mtu.cites, least.cites)), terms)
            if isinstance(kind, Missing) and size < cast(int, least.value) + LAYER_2_HEADERS:
                missing = kind
            cites.append(mtu.cites)
    largest = env["fabric"].read("rdma_mtu")
    if missing is None and isinstance(largest, Missing):
        missing = largest
    return Checked(missing) if missing is not None else Checked(Derived(True, union(*cites)))


def mtu_agrees(env: Env, params: Params) -> Checked:
    """Whether neither end of a link sends packets that the other does not carry. The end that carries too little is cited first.

    A host sends up to its own MTU; one above what the plan gives hosts is at fault itself. Between switches nothing is larger than what
    the hosts send, so that two ports which carry the largest MTU of any host may differ.
    """
    sizes = {name: _packets(env[name]) for name in ("a", "b")}
    nics = {name: env[name].read("nic") for name in ("a", "b")}
    unknown = next((each for each in (*sizes.values(), *nics.values()) if isinstance(each, Missing)), None)
    if unknown is not None:
        return Checked(unknown)
    found = {name: each for name, each in sizes.items() if isinstance(each, Derived)}
    hosts = [name for name, each in nics.items() if isinstance(each, Derived) and each.value]
    small = next((name for name in ("a", "b") if name not in hosts), "a") if hosts else min(found, key=lambda name: found[name].value)
    other = "b" if small == "a" else "a"
    if len(hosts) == 2:
        small, other = sorted(found, key=lambda name: found[name].value)
    order = [found[small].cites, found[other].cites]
    terms = {f"mtu_{name}": each.value[1] for name, each in found.items()}
    needed: Derived[int] | Missing = Derived(found[other].value[1], ())
    if not hosts and found["a"].value != found["b"].value:
        needed = env["fabric"].read("host_mtu")  # type: ignore[assignment]
        order += [needed.cites] if isinstance(needed, Derived) else []
    if isinstance(needed, Missing):
        return Checked(needed)
    wanted = env["plan"].read("mtu.host")
    if len(hosts) == 1 and isinstance(wanted, Derived) and cast(int, wanted.value) < needed.value:
        order.reverse()
    least, most = found[small].value
    if least >= needed.value:
        return Checked(Derived(True, union(*order)), terms)
    kind = env[small].read("mtu_kind")
    return Checked(kind if most >= needed.value and isinstance(kind, Missing) else Derived(False, union(*order)), terms)


def _packets(end: Bound) -> Derived[tuple[int, int]] | Missing:
    """The least and the most bytes of the largest IP packet that an end carries; a range where its MTU may count the Ethernet header."""
    mtu, kind = end.read("mtu"), end.read("mtu_kind")
    if isinstance(mtu, Missing):
        return mtu
    size = cast(int, mtu.value)
    if isinstance(kind, Derived):
        size -= ETHERNET_HEADER if kind.value == "l2" else 0
        return Derived((size, size), mtu.cites)
    return Derived((size - TAGGED_HEADER, size), mtu.cites)


CHECKS = {
    "rdma_fits": Check(rdma_fits, {"end": str, "mtu": int, "needed": int, "rdma_mtu": int}),
    "mtu_agrees": Check(mtu_agrees, {"mtu_a": int, "mtu_b": int}),
}
