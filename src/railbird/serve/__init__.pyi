from .app import ServerSettings, create_app

__all__ = ["ServerSettings", "create_app"]
