package dev.laurel.schemas.wire;

/** A body with the fields of another one, which several bodies share. They are written in its place, as fields of this body. */
public interface VariantBody {

    Object base();
}
