/**
 * Descriptions of configured objects: fields, types and kinds, and the engine that reads, checks, converts and exports drafts by
 * them. No product rule lives here.
 */
@NullMarked
package dev.laurel.schemas.kind;

import org.jspecify.annotations.NullMarked;
