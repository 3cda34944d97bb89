"""What CONFIG_DB holds of QoS: the tables, and the fields that a row of each may have.

Source: the YANG models of sonic-net/sonic-buildimage src/sonic-yang-models, and doc/Configuration.md there.
"""

from __future__ import annotations

from collections.abc import Mapping

MAPS: Mapping[str, str] = {
    "dscp_to_tc_map": "DSCP_TO_TC_MAP",
    "dot1p_to_tc_map": "DOT1P_TO_TC_MAP",
    "tc_to_queue_map": "TC_TO_QUEUE_MAP",
    "tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
    "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE",
    "pfc_to_pg_map": "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
    "tc_to_dscp_map": "TC_TO_DSCP_MAP",
}
# the highest key and value of each map; VOQ and dual-ToR devices have more than 8 queues and classes
HIGHEST: Mapping[str, tuple[int, int]] = {
    "DSCP_TO_TC_MAP": (63, 15),
    "DOT1P_TO_TC_MAP": (7, 15),
    "TC_TO_QUEUE_MAP": (15, 47),
    "TC_TO_PRIORITY_GROUP_MAP": (15, 15),
    "MAP_PFC_PRIORITY_TO_QUEUE": (7, 47),
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": (7, 15),
    "TC_TO_DSCP_MAP": (15, 63),
}
PORTS_OF: Mapping[str, int] = {"QUEUE": 63, "BUFFER_PG": 15, "BUFFER_QUEUE": 63}  # a key is a port and a number up to this
WATCHDOG = frozenset({"action", "detection_time", "restoration_time", "pfc_stat_history", "POLL_INTERVAL", "BIG_RED_SWITCH"})
FIELDS: Mapping[str, frozenset[str]] = {
    "PORT_QOS_MAP": frozenset(MAPS)
    | {"pfc_enable", "pfcwd_sw_enable", "scheduler", "mpls_tc_to_tc_map", "dscp_to_fc_map", "exp_to_fc_map", "tc_to_dot1p_map"},
    "QUEUE": frozenset({"scheduler", "wred_profile"}),
    "SCHEDULER": frozenset({"type", "weight", "priority", "meter_type", "cir", "cbs", "pir", "pbs"}),
    "WRED_PROFILE": frozenset({"ecn"})
    | {f"wred_{color}_enable" for color in ("green", "yellow", "red")}
    | {f"{color}_{field}" for color in ("green", "yellow", "red") for field in ("min_threshold", "max_threshold", "drop_probability")},
    "BUFFER_POOL": frozenset({"type", "mode", "size", "xoff", "percentage"}),
    "BUFFER_PROFILE": frozenset(
        {"pool", "size", "dynamic_th", "static_th", "xon", "xoff", "xon_offset", "headroom_type", "packet_discard_action"}
    ),
    "BUFFER_PG": frozenset({"profile"}),
    "BUFFER_QUEUE": frozenset({"profile"}),
    "BUFFER_PORT_INGRESS_PROFILE_LIST": frozenset({"profile_list"}),
    "BUFFER_PORT_EGRESS_PROFILE_LIST": frozenset({"profile_list"}),
    "PFC_WD": WATCHDOG,
    "PFC_WD_TABLE": WATCHDOG,
}
PLAIN = frozenset(
    {
        "CABLE_LENGTH",
        "DEFAULT_LOSSLESS_BUFFER_PARAMETER",
        "DEVICE_METADATA",
        "DEVICE_NEIGHBOR",
        "INTERFACE",
        "PORT",
        "PORTCHANNEL",
        "PORTCHANNEL_INTERFACE",
        "PORTCHANNEL_MEMBER",
        "VLAN_MEMBER",
        "VERSIONS",
        "VLAN_SUB_INTERFACE",
    }
)
READ = PLAIN | FIELDS.keys() | HIGHEST.keys()
PASSED_OVER = frozenset(
    {
        "DSCP_TO_FC_MAP",
        "EXP_TO_FC_MAP",
        "LOSSLESS_TRAFFIC_PATTERN",
        "MPLS_TC_TO_TC_MAP",
        "TC_TO_DOT1P_MAP",
        "BUFFER_MAX_PARAM_TABLE",
        "QUEUE_COUNTER_CAPABILITIES",
    }
)
OF_QOS = ("BUFFER_", "DOT1P_", "DSCP_", "MAP_PFC", "PFC_", "PORT_QOS", "QUEUE", "SCHEDULER", "TC_TO_", "WRED_")


def is_unknown(table: str) -> bool:
    """Whether a table has the name of one of QoS and is none that there is."""
    return table.startswith(OF_QOS) and table not in READ and table not in PASSED_OVER
