/** The command {@code report}, which prints reports of a server. */
@NullMarked
package dev.laurel.deploy.tools.stats;

import org.jspecify.annotations.NullMarked;
