/** Backup of the topics that cannot be computed from others, and their restore. Formats on disk are durable. */
package dev.laurel.deploy.tools.backup;
