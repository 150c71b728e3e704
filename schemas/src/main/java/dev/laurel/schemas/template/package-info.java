/** The rendering of message templates, limited in length and work. */
@NullMarked
package dev.laurel.schemas.template;

import org.jspecify.annotations.NullMarked;
