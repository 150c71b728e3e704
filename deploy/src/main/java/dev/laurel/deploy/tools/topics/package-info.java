/** The commands for topics. What topics are is decided by the catalogue in the schemas module. */
package dev.laurel.deploy.tools.topics;
