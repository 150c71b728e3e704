package dev.laurel.schemas.wire;

import java.util.UUID;

/** The body of an object in the admin API. */
public interface AdminBody {

    UUID id();
}
