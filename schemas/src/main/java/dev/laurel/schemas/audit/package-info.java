/** The records of {@code laurel.audit}, which describe changes, and the authors of changes. */
@NullMarked
package dev.laurel.schemas.audit;

import org.jspecify.annotations.NullMarked;
