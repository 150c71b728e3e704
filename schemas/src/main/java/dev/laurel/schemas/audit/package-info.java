/** Who has changed what: the author of a change, and the records of {@code laurel.audit}. */
@NullMarked
package dev.laurel.schemas.audit;

import org.jspecify.annotations.NullMarked;
