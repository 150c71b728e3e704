package dev.laurel.schemas.wire;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** application-api.md §2 "Points": one entry of the ledger. */
public record AwardBody(UUID id, long awarded, Instant date, long total, TriggerBody trigger, List<BoostBody> boosts) {}
