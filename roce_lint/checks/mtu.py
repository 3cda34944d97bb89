"""Whether RDMA packets of the fabric's largest MTU fit the ports of a link."""

from __future__ import annotations

from typing import cast

from roce_lint.checks.check import Check, Checked, Env, Params
from roce_lint.fabric.pipeline import End
from roce_lint.model.outcome import Derived, Missing, union

LAYER_3_HEADERS = 44  # IPv4 20, UDP 8, BTH 12, invariant CRC 4: the least that a RoCEv2 packet adds to its payload
LAYER_2_HEADERS = 58  # and the Ethernet header


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


CHECKS = {"rdma_fits": Check(rdma_fits, {"end": str, "mtu": int, "needed": int, "rdma_mtu": int})}
