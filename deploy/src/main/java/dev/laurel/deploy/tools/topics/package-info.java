/** The commands for topics. The catalogue in the schemas module defines the topics. */
@NullMarked
package dev.laurel.deploy.tools.topics;

import org.jspecify.annotations.NullMarked;
