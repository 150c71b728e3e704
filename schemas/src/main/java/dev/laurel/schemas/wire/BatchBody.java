package dev.laurel.schemas.wire;

import java.util.List;
import java.util.Optional;

/**
 * The answer to a batch of events (admin-api.md A3).
 *
 * @param accepted how many the log has acknowledged
 * @param issues those that it has not, by index; absent if it has all
 */
public record BatchBody(int accepted, Optional<List<IssueBody>> issues) {}
