/** The HTTP load generator and its statistics. It knows nothing about Laurel. */
@NullMarked
package dev.laurel.bench.load;

import org.jspecify.annotations.NullMarked;
