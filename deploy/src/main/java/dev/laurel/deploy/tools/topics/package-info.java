/** The commands for topics. What topics are is decided by the catalogue in the schemas module. */
@NullMarked
package dev.laurel.deploy.tools.topics;

import org.jspecify.annotations.NullMarked;
