"""QoS of a port: queues, groups, PFC, marking, buffers, watchdog. Each field is a Fact or None where nobody stated it."""

from typing import Literal

from pydantic.dataclasses import dataclass

from roce_lint.model.facts import RECORD, Fact, Table

Trust = Literal["dscp", "pcp", "both", "port"]


@dataclass(frozen=True, slots=True, config=RECORD)
class Marking:
    """An ECN/WRED profile. Thresholds in bytes or in percent of the queue's limit; probability and weight as stated, 0 to 1 and 2^-n."""

    name: str | None = None
    ecn: Fact[bool] | None = None
    drops: Fact[bool] | None = None  # WRED drops early what it does not mark
    kmin_bytes: Fact[int] | None = None
    kmax_bytes: Fact[int] | None = None
    kmin_percent: Fact[float] | None = None
    kmax_percent: Fact[float] | None = None
    mark_probability: Fact[float] | None = None
    averaging_weight: Fact[int] | None = None


@dataclass(frozen=True, slots=True, config=RECORD)
class Scheduler:
    """How a queue is served. `share` is percent of the link; `weight` a ratio among the queues of a port."""

    name: str | None = None
    scheduling: Fact[Literal["strict", "dwrr", "wrr", "ets", "vendor", "cbs"]] | None = None
    share: Fact[float] | None = None
    weight: Fact[int] | None = None
    rate_limit_bps: Fact[int] | None = None


@dataclass(frozen=True, slots=True, config=RECORD)
class Pool:
    """A buffer pool. `shared_headroom_bytes` is the headroom that its groups share."""

    name: str | None = None
    direction: Fact[Literal["ingress", "egress", "both"]] | None = None
    mode: Fact[Literal["static", "dynamic"]] | None = None
    size_bytes: Fact[int] | None = None
    percent: Fact[float] | None = None
    shared_headroom_bytes: Fact[int] | None = None
    unlimited: Fact[bool] | None = None


@dataclass(frozen=True, slots=True, config=RECORD)
class Buffer:
    """A buffer profile of a group or of a queue. `xoff_bytes` is headroom; `alpha` the dynamic threshold as a real number."""

    name: str | None = None
    lossless: Fact[bool] | None = None
    size_bytes: Fact[int] | None = None
    xon_bytes: Fact[int] | None = None
    xon_offset_bytes: Fact[int] | None = None
    xoff_bytes: Fact[int] | None = None
    automatic_headroom: Fact[bool] | None = None  # the platform computes the headroom itself
    alpha: Fact[float] | None = None
    limit_bytes: Fact[int] | None = None  # static threshold
    unlimited: Fact[bool] | None = None  # never drops at its own limit
    pool: Fact[Pool] | None = None


@dataclass(frozen=True, slots=True, config=RECORD)
class Queue:
    """An egress queue and the profiles bound to it."""

    marking: Fact[Marking] | None = None
    scheduler: Fact[Scheduler] | None = None
    buffer: Fact[Buffer] | None = None


@dataclass(frozen=True, slots=True, config=RECORD)
class Pfc:
    """Priority flow control of a port. Numbers are the index on the PFC frame.

    `priorities` are the indices that are on in both directions; `rx` and `tx` are stated only where they differ. `queue` says which
    queue an index stops, `group` for which group an index is sent.
    """

    mode: Fact[Literal["on", "off", "auto"]] | None = None
    priorities: Fact[frozenset[int]] | None = None
    rx: Fact[frozenset[int]] | None = None
    tx: Fact[frozenset[int]] | None = None
    operational: Fact[bool] | None = None
    queue: Fact[Table[int]] | None = None
    group: Fact[Table[int]] | None = None
    index_is_priority: Fact[bool] | None = None  # the index is the internal priority, without a map between
    makes_lossless: Fact[bool] | None = None  # the driver makes the buffer of a priority lossless when PFC is on for it
    for_fcoe: Fact[bool] | None = None  # the no-drop class is that of FCoE
    delay: Fact[int] | None = None  # the allowance that goes into the headroom, in the driver's own unit


@dataclass(frozen=True, slots=True, config=RECORD)
class WatchdogQueue:
    """What the watchdog says of a queue: counts of storms and of packets that it dropped."""

    status: Fact[Literal["operational", "stormed"]] | None = None
    detected: Fact[int] | None = None
    restored: Fact[int] | None = None
    tx_dropped: Fact[int] | None = None
    rx_dropped: Fact[int] | None = None


@dataclass(frozen=True, slots=True, config=RECORD)
class Watchdog:
    """The PFC watchdog of a port. `enabled` is whether it runs on this port; `priorities` are the PFC indices that it guards."""

    enabled: Fact[bool] | None = None
    priorities: Fact[frozenset[int]] | None = None
    poll_ms: Fact[int] | None = None
    detect_ms: Fact[int] | None = None
    restore_ms: Fact[int] | None = None
    action: Fact[Literal["drop", "forward", "alert"]] | None = None
    running: Fact[bool] | None = None  # the switch-wide watchdog is on
    queues: Fact[Table[WatchdogQueue]] | None = None


@dataclass(frozen=True, slots=True, config=RECORD)
class GlobalPause:
    """802.3x pause, as running or forced; what autonegotiation could give is not stated here."""

    rx: Fact[bool] | None = None
    tx: Fact[bool] | None = None


@dataclass(frozen=True, slots=True, config=RECORD)
class Dcbx:
    """DCBX of a port. `owner` says who may change PFC and ETS: the operating system or the firmware."""

    willing: Fact[bool] | None = None
    owner: Fact[Literal["host", "firmware"]] | None = None


@dataclass(frozen=True, slots=True, config=RECORD)
class Priorities:
    """Whether DCQCN's reaction point or notification point is on, by priority."""

    priorities: Fact[Table[bool]] | None = None


@dataclass(frozen=True, slots=True, config=RECORD)
class Cnp:
    """How a NIC marks the congestion notification packets that it sends. Interval in microseconds."""

    dscp: Fact[int] | None = None
    pcp: Fact[int] | None = None
    interval_us: Fact[int] | None = None


@dataclass(frozen=True, slots=True, config=RECORD)
class Counters:
    """Volatile readings of a port: frames, packets and bytes since an unknown start, keyed by PFC index, queue or group."""

    pfc_rx: Fact[Table[int]] | None = None
    pfc_tx: Fact[Table[int]] | None = None
    queue_drops: Fact[Table[int]] | None = None
    group_drops: Fact[Table[int]] | None = None
    queue_ecn_marked: Fact[Table[int]] | None = None
    queue_watermark_bytes: Fact[Table[int]] | None = None
    group_watermark_bytes: Fact[Table[int]] | None = None
    headroom_watermark_bytes: Fact[Table[int]] | None = None
    priority_rx_packets: Fact[Table[int]] | None = None
    priority_tx_packets: Fact[Table[int]] | None = None
    priority_discards: Fact[Table[int]] | None = None
    named: Fact[dict[str, int]] | None = None  # a NIC's own counters, by the driver's name
