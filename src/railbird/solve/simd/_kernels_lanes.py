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
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import intrinsic, lower_builtin, register_model, type_callable

WIDTH: Final = 32
"""Numbers in a vector: two of the longest registers."""

HALF: Final = WIDTH // 2
"""Numbers in one of its halves, 0 and 1."""

_VECTOR = ir.VectorType(ir.FloatType(), WIDTH)
_HALF_VECTOR = ir.VectorType(ir.FloatType(), HALF)
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


def _address(
    context: Any, builder: Any, kind: Any, array: Any, start: Any, vector: Any = _VECTOR
) -> Any:
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [start]), vector.as_pointer())


def _places(*numbers: int) -> Any:
    return ir.Constant(ir.VectorType(ir.IntType(32), len(numbers)), numbers)


def _is_in(builder: Any, half: Any) -> Any:
    """Return for each place whether it is in a half of the vector."""
    numbers = ir.VectorType(ir.IntType(64), WIDTH)
    first = builder.insert_element(ir.Constant(numbers, ir.Undefined), half, ir.IntType(32)(0))
    halves = builder.shuffle_vector(first, first, _places(*[0] * WIDTH))
    own = ir.Constant(numbers, [0] * HALF + [1] * HALF)
    return builder.icmp_signed("==", halves, own)


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
        first = builder.insert_element(_UNDEFINED, args[0], ir.IntType(32)(0))
        return builder.shuffle_vector(first, _UNDEFINED, _places(*[0] * WIDTH))

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


@_operation
def load_half(typing: Any, array: Any, start: Any) -> Any:
    """Return numbers ``start`` to ``start + HALF - 1`` of a contiguous array, in both halves."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = _address(context, builder, signature.args[0], args[0], args[1], _HALF_VECTOR)
        found = builder.load(address, align=4)
        return builder.shuffle_vector(found, found, _places(*range(HALF), *range(HALF)))

    return _lanes(array, types.intp), generate


@_operation
def store_half(typing: Any, array: Any, start: Any, lanes: Any, half: Any) -> Any:
    """Write a half of a vector from number ``start`` of a contiguous array on, unchecked."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> None:
        lanes, half = args[2:]
        address = _address(context, builder, signature.args[0], args[0], args[1], _HALF_VECTOR)
        low, high = (
            builder.shuffle_vector(lanes, lanes, _places(*range(first, first + HALF)))
            for first in (0, HALF)
        )
        is_low = builder.icmp_signed("==", half, half.type(0))
        builder.store(builder.select(is_low, low, high), address, align=4)

    return types.void(array, types.intp, _lanes, types.intp), generate


@_operation
def exchange(typing: Any, lanes: Any) -> Any:
    """Return a vector with its halves exchanged."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        places = _places(*range(HALF, WIDTH), *range(HALF))
        return builder.shuffle_vector(args[0], args[0], places)

    return _lanes(_lanes), generate


@_operation
def in_half(typing: Any, half: Any, lanes: Any, elsewhere: Any) -> Any:
    """Return the numbers of a vector in one half, and in the other half those of another."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(_is_in(builder, args[0]), *args[1:])

    return _lanes(types.intp, _lanes, _lanes), generate


@_operation
def share_of(typing: Any, part: Any, whole: Any, otherwise: Any) -> Any:
    """Return ``part / whole`` where the whole is positive, and another number elsewhere."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        part, whole, otherwise = args
        positive = builder.fcmp_ordered(">", whole, ir.Constant(_VECTOR, None))
        return builder.select(positive, builder.fdiv(part, whole), otherwise)

    return _lanes(_lanes, _lanes, _lanes), generate


@_operation
def prefetch(typing: Any, array: Any, start: Any) -> Any:
    """Begin to bring the line of number ``start`` of a contiguous array into the caches."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> None:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        address = builder.bitcast(builder.gep(data, [args[1]]), ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [address.type, number, number, number])
        insert: _Function = cgutils.get_or_insert_function
        function = insert(builder.module, kind, "llvm.prefetch.p0")
        # To be read, as near as possible, and it is data.
        builder.call(function, [address, number(0), number(3), number(1)])

    return types.void(array, types.intp), generate


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
