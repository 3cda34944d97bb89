"""Generates the raw text of a clean fabric of any size, in the formats that devices print: SONiC switches and ConnectX hosts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

SPEED = 400_000
PORTS_A_LEAF = 64


def host_name(number: int) -> str:
    return f"gpu{number:04d}"


def mlnx_qos(priorities: str = "0   0   0   1   0   0   0   0   ") -> str:
    maps = "".join(
        f"\tprio:{priority} dscp:" + "".join(f"{dscp:02d}," for dscp in range(priority * 8 + 7, priority * 8 - 1, -1)) + "\n"
        for priority in range(8)
    )
    classes = "".join(f"tc: {tc} ratelimit: unlimited, tsa: vendor\n\t priority:  {tc}\n" for tc in range(8))
    return (
        "DCBX mode: OS controlled\nPriority trust state: dscp\ndscp2prio mapping:\n"
        + maps
        + "Receive buffer size (bytes): 20016,356096,0,0,0,0,0,0,max_buffer_size=1027728\nCable len: 5\nPFC configuration:\n"
        "\tpriority    0   1   2   3   4   5   6   7\n"
        f"\tenabled     {priorities}\n"
        "\tbuffer      0   0   0   1   0   0   0   0   \n" + classes
    )


def bundle(number: int, nics: int, leaves: list[tuple[str, str]], broken: bool) -> str:
    """A terminal transcript of a host with its NIC ports and, by LLDP, the switch ports beside them."""
    name = host_name(number)
    prompt = f"root@{name}:~# "
    parts = []
    links = []
    interfaces = []
    for nic in range(nics):
        port, device = f"ens{nic + 1}np0", f"mlx5_{nic}"
        on = "0   0   0   0   0   0   0   0   " if broken else "0   0   0   1   0   0   0   0   "
        parts.append(f"{prompt}mlnx_qos -i {port}\n{mlnx_qos(on)}")
        parts.append(f"{prompt}ethtool -a {port}\nPause parameters for {port}:\nAutonegotiate:\toff\nRX:\t\toff\nTX:\t\toff\n\n")
        parts.append(
            f"{prompt}ethtool -i {port}\ndriver: mlx5_core\nversion: 24.10-1.1.4\nfirmware-version: 28.43.1014 (MT_0000000838)\n"
            f"bus-info: 0000:{nic + 16:02x}:00.0\n"
        )
        for priority in range(8):
            for way in ("roce_np", "roce_rp"):
                parts.append(f"{prompt}cat /sys/class/net/{port}/ecn/{way}/enable/{priority}\n{int(priority == 3)}\n")
        parts.append(f"{prompt}cat /sys/class/net/{port}/ecn/roce_np/cnp_dscp\n48\n")
        parts.append(f"{prompt}cat /sys/class/infiniband/{device}/tc/1/traffic_class\nGlobal tclass=106\n")
        parts.append(f"{prompt}cat /sys/class/infiniband/{device}/ports/1/gid_attrs/ndevs/3\n{port}\n")
        leaf, leaf_port = leaves[nic]
        links.append(
            {
                "ifname": port,
                "mtu": 9000,
                "operstate": "UP",
                "flags": ["UP", "LOWER_UP"],
                "address": f"02:00:5e:{nic:02x}:{number >> 8:02x}:{number & 255:02x}",
            }
        )
        interfaces.append(
            {
                "name": port,
                "via": "LLDP",
                "chassis": [{"id": [{"type": "mac", "value": "02:00:00:00:00:01"}], "name": [{"value": leaf}]}],
                "port": [{"id": [{"type": "ifname", "value": leaf_port}], "ttl": [{"value": "120"}]}],
            }
        )
    parts.append(f"{prompt}ip -d -j link show\n{json.dumps(links)}\n")
    parts.append(f"{prompt}lldpcli -f json0 show neighbors details\n{json.dumps({'lldp': [{'interface': interfaces}]}, indent=1)}\n")
    parts.append(f"{prompt}cat /etc/nccl.conf\nNCCL_IB_TC=106\n{prompt}\n")
    return "".join(parts)


def switch(name: str, ports: list[str], neighbours: dict[str, tuple[str, str]], alpha: int = 0) -> str:
    """A complete config_db.json with DSCP 26 on the lossless TC 3 of every port."""
    keys = {"0": "0", "1": "0", "2": "0", "3": "3", "4": "0", "5": "0", "6": "6", "7": "0"}
    tables: dict[str, object] = {
        "DEVICE_METADATA": {"localhost": {"hostname": name, "hwsku": "Bench-64x400", "type": "LeafRouter", "mac": "02:00:5e:00:00:01"}},
        "PORT": {
            port: {"lanes": str(index), "speed": str(SPEED), "mtu": "9216", "admin_status": "up", "alias": f"etp{index + 1}"}
            for index, port in enumerate(ports)
        },
        "CABLE_LENGTH": {"AZURE": dict.fromkeys(ports, "5m")},
        "DSCP_TO_TC_MAP": {"SITE": {str(dscp): str(dscp >> 3) for dscp in range(64)}},
        "TC_TO_QUEUE_MAP": {"SITE": keys},
        "TC_TO_PRIORITY_GROUP_MAP": {"SITE": {**keys, "6": "0"}},
        "MAP_PFC_PRIORITY_TO_QUEUE": {"SITE": {str(index): str(index) for index in range(8)}},
        "PORT_QOS_MAP": {
            port: {"pfc_enable": "3", "pfcwd_sw_enable": "3", "dscp_to_tc_map": "SITE", "tc_to_queue_map": "SITE", "tc_to_pg_map": "SITE", "pfc_to_queue_map": "SITE"}
            for port in ports
        },
        "WRED_PROFILE": {
            "SITE": {
                "ecn": "ecn_all", "wred_green_enable": "true", "green_min_threshold": "1000000", "green_max_threshold": "2000000",
                "green_drop_probability": "5",
            }
        },
        "SCHEDULER": {"data": {"type": "DWRR", "weight": "50"}, "cnp": {"type": "STRICT"}},
        "QUEUE": {
            **{f"{port}|3": {"scheduler": "data", "wred_profile": "SITE"} for port in ports},
            **{f"{port}|6": {"scheduler": "cnp"} for port in ports},
            **{f"{port}|0": {"scheduler": "data"} for port in ports},
        },
        "BUFFER_POOL": {"ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "60000000", "xoff": "0"}},
        "BUFFER_PROFILE": {
            "pg_lossless": {"pool": "ingress_lossless_pool", "xon": "19456", "xoff": "231424", "size": "250880", "dynamic_th": str(alpha)},
            "pg_lossy": {"pool": "ingress_lossless_pool", "size": "0", "dynamic_th": "3"},
        },
        "BUFFER_PG": {**{f"{port}|3": {"profile": "pg_lossless"} for port in ports}, **{f"{port}|0": {"profile": "pg_lossy"} for port in ports}},
        "PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "200"}, **{port: {"action": "drop", "detection_time": "200", "restoration_time": "400"} for port in ports}},
        "DEVICE_NEIGHBOR": {port: {"name": device, "port": other} for port, (device, other) in neighbours.items()},
    }  # fmt: skip
    return json.dumps(tables, indent=4)


INTENT = """schema: roce-lint/intent/v1
fabrics:
  backend: {match: {device: '*'}}
classes:
  rdma: {role: rdma_data, dscp: [26], pfc_priority: 3, loss: lossless}
  cnp: {role: cnp, dscp: [48], sched: strict, loss: lossy}
limits: {max_lossless: 2}
watchdog: {required: yes}
buffers: {alpha_min: 0.0625}
"""


def files(hosts: int, nics: int, leaves: int, spines: int, broken: bool = False, uplinks: int = 0) -> Iterator[tuple[str, str]]:
    """Paths and texts of a fabric: every NIC port of a host on a leaf of its own rail, every leaf on every spine or on `uplinks` of them."""
    leaf_names = [f"leaf{number:03d}" for number in range(leaves)]
    spine_names = [f"spine{number:03d}" for number in range(spines)]
    used = dict.fromkeys(leaf_names, 0)
    by_leaf: dict[str, dict[str, tuple[str, str]]] = {name: {} for name in leaf_names}
    for number in range(hosts):
        beside = []
        for nic in range(nics):
            leaf = leaf_names[(number * nics + nic) % leaves]
            port = f"Ethernet{used[leaf] * 8}"
            used[leaf] += 1
            by_leaf[leaf][port] = (host_name(number), f"ens{nic + 1}np0")
            beside.append((leaf, port))
        yield f"{host_name(number)}.txt", bundle(number, nics, beside, broken)
    by_spine: dict[str, dict[str, tuple[str, str]]] = {name: {} for name in spine_names}
    for index, leaf in enumerate(leaf_names):
        for place in range(uplinks or spines):
            spine = spine_names[(index * uplinks + place) % spines]
            up, down = f"Ethernet{(used[leaf] + place) * 8}", f"Ethernet{len(by_spine[spine]) * 8}"
            by_leaf[leaf][up] = (spine, down)
            by_spine[spine][down] = (leaf, up)
    for name, neighbours in (*by_leaf.items(), *by_spine.items()):
        yield f"{name}/config_db.json", switch(name, list(neighbours), neighbours)
    yield "roce-lint.yaml", INTENT


def write(place: Path, hosts: int, nics: int, leaves: int, spines: int, broken: bool = False, uplinks: int = 0) -> None:
    """Writes a fabric below a folder."""
    for path, text in files(hosts, nics, leaves, spines, broken, uplinks):
        target = place / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
