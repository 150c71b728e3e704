/** The command {@code stats}, which prints reports of analytics. */
@NullMarked
package dev.laurel.deploy.tools.stats;

import org.jspecify.annotations.NullMarked;
