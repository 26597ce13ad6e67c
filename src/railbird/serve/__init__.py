"""The web application: the push/fold game now, the lobby and its tables later.

`railbird.serve.create_app` makes the application of `railbird.serve.ServerSettings`. Each feature
is a package with a router of its own; `railbird.serve.storage` keeps what is stored apart from it.
"""

from railbird.serve.app import create_app
from railbird.serve.settings import ServerSettings

__all__ = ["ServerSettings", "create_app"]
