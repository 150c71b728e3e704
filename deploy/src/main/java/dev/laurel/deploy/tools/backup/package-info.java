/** Backup of the topics that cannot be computed from others, and their restore. Formats on disk are durable. */
@NullMarked
package dev.laurel.deploy.tools.backup;

import org.jspecify.annotations.NullMarked;
