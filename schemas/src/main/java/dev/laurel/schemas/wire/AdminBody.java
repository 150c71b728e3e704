package dev.laurel.schemas.wire;

import java.util.UUID;

/** An object as the admin API shows it. */
public interface AdminBody {

    UUID id();
}
