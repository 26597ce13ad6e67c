"""Vectors of `WIDTH` numbers in registers, for kernels that the compiler cannot vectorise well.

Before each loop over numbers the compiler checks that its arrays do not overlap, which for some
dozens of numbers takes longer than the loop. These operations say what is read and written, in
order. Where registers are shorter LLVM takes several.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core.datamodel import models
from numba.extending import intrinsic, lower_builtin, register_model, type_callable

WIDTH: Final = 32
"""Numbers in a vector: two of the longest registers."""

_VECTOR = ir.VectorType(ir.FloatType(), WIDTH)
_UNDEFINED = ir.Constant(_VECTOR, ir.Undefined)


_Function = Callable[..., Any]
_operation: Callable[[_Function], _Function] = intrinsic
_lowers: Callable[..., Callable[[_Function], _Function]] = lower_builtin


class Lanes(types.Type):
    """The type of a vector of float32 inside kernels."""

    def __init__(self) -> None:
        super().__init__(name=f"lanes{WIDTH}")


_lanes: Any = Lanes()


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)  # type: ignore[no-untyped-call]


def _address(context: Any, builder: Any, kind: Any, array: Any, start: Any) -> Any:
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [start]), _VECTOR.as_pointer())


@_operation
def load(typing: Any, array: Any, start: Any) -> Any:
    """Return numbers ``start`` to ``start + WIDTH - 1`` of a contiguous array, unchecked."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = _address(context, builder, signature.args[0], *args)
        return builder.load(address, align=4)

    return _lanes(array, types.intp), generate


@_operation
def store(typing: Any, array: Any, start: Any, lanes: Any) -> Any:
    """Write a vector from number ``start`` of a contiguous array on, unchecked."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> None:
        address = _address(context, builder, signature.args[0], *args[:2])
        builder.store(args[2], address, align=4)

    return types.void(array, types.intp, _lanes), generate


@_operation
def splat(typing: Any, number: Any) -> Any:
    """Return a vector of equal numbers."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zero = ir.Constant(ir.IntType(32), 0)
        first = builder.insert_element(_UNDEFINED, args[0], zero)
        places = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
        return builder.shuffle_vector(first, _UNDEFINED, places)

    return _lanes(types.float32), generate


@_operation
def larger(typing: Any, one: Any, other: Any) -> Any:
    """Return the larger number in each place."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", *args), *args)

    return _lanes(_lanes, _lanes), generate


@_operation
def has_any(typing: Any, lanes: Any) -> Any:
    """Tell whether a number other than zero is among them."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        found = builder.fcmp_unordered("!=", args[0], ir.Constant(_VECTOR, None))
        bits = ir.IntType(WIDTH)
        return builder.icmp_unsigned("!=", builder.bitcast(found, bits), ir.Constant(bits, 0))

    return types.boolean(_lanes), generate


def _define(function: Callable[[Any, Any], Any], instruction: str) -> None:
    @type_callable(function)
    def _type(context: Any) -> Any:
        def typer(one: Any, other: Any) -> Any:
            return _lanes if one == other == _lanes else None

        return typer

    @_lowers(function, Lanes, Lanes)
    def _lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return getattr(builder, instruction)(*args)


_define(operator.add, "fadd")
_define(operator.sub, "fsub")
_define(operator.mul, "fmul")
