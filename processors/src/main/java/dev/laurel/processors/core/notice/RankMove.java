package dev.laurel.processors.core.notice;

import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.util.UUID;

/**
 * A move that was heard of before it is known how all others stood.
 *
 * @param news its id
 * @param previousRank 0 if the user took no part before
 * @param previousValue null then
 */
public record RankMove(UUID news, UserId user, int previousRank, BigDecimal previousValue) {}
