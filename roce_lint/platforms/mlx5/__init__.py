"""NVIDIA ConnectX and BlueField: what only their tools say, and what follows for a port of the mlx5 driver."""

from __future__ import annotations

from roce_lint.platforms.mlx5 import mlnx_qos, mlxconfig, mlxreg, receive_buffer
from roce_lint.platforms.mlx5.completion import completed
from roce_lint.platforms.platform import Platform

PLATFORM = Platform(
    "mlx5", "host", (mlnx_qos.READER, mlxconfig.READER, mlxreg.READER), completed, receive_buffer=receive_buffer.needed_bytes
)
