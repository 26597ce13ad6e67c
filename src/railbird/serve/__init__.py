"""The web application: features that mount themselves, the first of them the push/fold game.

`railbird.serve.create_app` builds the application from `railbird.serve.ServerSettings`. Each
feature is a package with its own `mount`. Storage is separate, in `railbird.storage`.
"""

import lazy_loader

from railbird._extras import needing

_offered, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


# The processes that work for a server are modules of this package, and need not wait for the web.
def __getattr__(name: str) -> object:
    with needing("serve"):
        return _offered(name)
