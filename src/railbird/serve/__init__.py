"""The web application: features that mount themselves, the first of them the push/fold game.

`railbird.serve.create_app` builds the application from `railbird.serve.ServerSettings`. Each
feature is a package with its own `mount`. Storage is separate, in `railbird.storage`.
"""

from railbird._extras import needing

with needing("serve"):
    from railbird.serve.app import ServerSettings, create_app

__all__ = ["ServerSettings", "create_app"]
