"""ModelLayer: what stands before another model, and is called as that one is."""

from core.planning.planners.ports import Model


class ModelLayer:
    """Asks another model."""

    __slots__ = ()

    inner: Model

    @property
    def name(self) -> str:
        """Return the name of the model."""
        return self.inner.name

    async def close(self) -> None:
        """Close the model."""
        await self.inner.close()
