"""Ports and RDMA devices of one host put together: what is stated under a PCI address or an RDMA device belongs to a port."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from roce_lint.model.devices import EVERY_PORT, Rdma
from roce_lint.model.facts import derived
from roce_lint.model.merge import merged
from roce_lint.model.ports import Port


def joined(ports: Mapping[str, Port], rdma: Mapping[str, Rdma]) -> tuple[dict[str, Port], dict[str, Rdma]]:
    """The ports and RDMA devices with every fragment under its own name.

    A fragment of a port may be named by the port's PCI address or its RDMA device, one of an RDMA device by its PCI address. An RDMA device
    that states no port gets the one that shares its PCI address. The lower device of a virtual function may be stated by its PCI address.
    """
    if not rdma and not any(port.pci is not None for port in ports.values()):
        return dict(ports), dict(rdma)
    devices = _together_rdma(rdma)
    by_pci = _unique((port.pci.value.lower(), name) for name, port in ports.items() if port.pci is not None and name != port.pci.value)
    own_ports = {name: _with_port(each, ports, by_pci) for name, each in devices.items()}
    names = _other_names(ports, own_ports, by_pci)
    together: dict[str, Port] = {}
    for name, port in ports.items():
        target = names.get(name, name)
        own = port if target == name else replace(port, name=target)
        together[target] = merged(together[target], own) if target in together else own
    return {name: _with_parent(port, ports, by_pci) for name, port in together.items()}, own_ports


def _unique(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """What each key stands for, without keys that stand for several things."""
    found: dict[str, set[str]] = {}
    for key, value in pairs:
        found.setdefault(key, set()).add(value)
    return {key: next(iter(values)) for key, values in found.items() if len(values) == 1}


def _together_rdma(rdma: Mapping[str, Rdma]) -> dict[str, Rdma]:
    by_pci = _unique((each.pci.value.lower(), name) for name, each in rdma.items() if each.pci is not None and each.pci.value != name)
    together: dict[str, Rdma] = {}
    for name, each in rdma.items():
        target = by_pci.get(name.lower(), name)
        own = each if target == name else replace(each, name=target)
        together[target] = merged(together[target], own) if target in together else own
    return together


def _with_port(rdma: Rdma, ports: Mapping[str, Port], by_pci: Mapping[str, str]) -> Rdma:
    if rdma.netdev is not None or rdma.pci is None:
        return rdma
    name = by_pci.get(rdma.pci.value.lower())
    pci = ports[name].pci if name is not None else None
    return rdma if name is None or pci is None else replace(rdma, netdev=derived(name, rdma.pci, pci))


def _other_names(ports: Mapping[str, Port], rdma: Mapping[str, Rdma], by_pci: Mapping[str, str]) -> dict[str, str]:
    """The port that each other name of one stands for."""
    devices = {name: each.netdev.value for name, each in rdma.items() if each.netdev is not None and each.netdev.value != name}
    addresses = {each.pci.value.lower(): each.netdev.value for each in rdma.values() if each.pci is not None and each.netdev is not None}
    names: dict[str, str] = {}
    for name in ports:
        target = by_pci.get(name.lower()) or addresses.get(name.lower()) or devices.get(name)
        if target is not None and name != EVERY_PORT:
            names[name] = target
    return names


def _with_parent(port: Port, ports: Mapping[str, Port], by_pci: Mapping[str, str]) -> Port:
    parent = port.parent
    if parent is None or parent.value in ports:
        return port
    name = by_pci.get(parent.value.lower())
    pci = ports[name].pci if name is not None else None
    return port if name is None or pci is None else replace(port, parent=derived(name, parent, pci))
