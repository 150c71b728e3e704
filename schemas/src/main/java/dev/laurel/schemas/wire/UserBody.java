package dev.laurel.schemas.wire;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** application-api.md §2 "User (response)". */
public record UserBody(String id, String email, String name, String tz, List<String> deviceTokens,
        boolean subscribeToEmails, Map<String, String> attributes, boolean control, Instant created, Instant updated) {}
