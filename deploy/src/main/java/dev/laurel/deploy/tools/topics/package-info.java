/**
 * The commands for topics, among them the backup of those that cannot be computed from others, and their restore. The catalogue in the
 * schemas module defines the topics. Formats on disk are durable.
 */
@NullMarked
package dev.laurel.deploy.tools.topics;

import org.jspecify.annotations.NullMarked;
