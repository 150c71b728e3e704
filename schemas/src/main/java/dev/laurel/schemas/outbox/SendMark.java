package dev.laurel.schemas.outbox;

import java.util.UUID;

/**
 * A value of {@code laurel.send-marks}, which reserves one attempt to send a message; keyed as in {@code laurel.outbox}. A task sends
 * only if it reads its own mark first, so no message is sent twice.
 *
 * @param delivery id of the delivery
 * @param attempt 1, 2, …
 * @param life id of the task, new after each start
 */
public record SendMark(UUID delivery, int attempt, UUID life) {}
