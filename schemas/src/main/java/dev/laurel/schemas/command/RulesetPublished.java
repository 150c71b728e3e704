package dev.laurel.schemas.command;

import dev.laurel.schemas.key.TenantId;

/** From here on in this partition, the tenant's commands are judged by this version of its ruleset. */
public record RulesetPublished(TenantId tenant, long version) implements LogCommand {}
