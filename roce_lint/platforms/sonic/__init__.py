"""Community SONiC: CONFIG_DB in every form, and the answers of its show commands."""

from __future__ import annotations

from roce_lint.platforms.platform import Platform
from roce_lint.platforms.sonic import config
from roce_lint.platforms.sonic.complete import completed

PLATFORM = Platform("sonic", "switch", (config.READER,), completed)
