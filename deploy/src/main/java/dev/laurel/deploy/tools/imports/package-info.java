/** Imports into the log or through a server: exactly once, resumable, in order per user. */
package dev.laurel.deploy.tools.imports;
