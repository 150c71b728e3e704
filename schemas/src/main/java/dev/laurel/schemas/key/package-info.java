/**
 * Identifiers of users, tenants, boards and places in the log, each with one text form. No identifier here knows what it identifies.
 */
@NullMarked
package dev.laurel.schemas.key;

import org.jspecify.annotations.NullMarked;
