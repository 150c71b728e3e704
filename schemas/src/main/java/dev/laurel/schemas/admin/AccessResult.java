package dev.laurel.schemas.admin;

import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.edit.Edit.AccessEdit;
import java.util.Map;

/**
 * What an {@link AccessEdit} comes to.
 *
 * @param changes to be written to {@code laurel.access}, in this order, by key; null for what is deleted
 * @param status of the answer
 * @param body of the answer, to be written as JSON
 */
public record AccessResult(Map<String, AccessRecord> changes, int status, Object body) {}
