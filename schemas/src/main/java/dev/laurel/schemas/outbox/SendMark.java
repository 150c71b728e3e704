package dev.laurel.schemas.outbox;

import java.util.UUID;

/**
 * Says before a message goes out that it is about to: the values of {@code laurel.send-marks}, keyed as in
 * {@code laurel.outbox}. Only whoever reads its own mark first sends, so nothing goes out twice.
 *
 * @param delivery what is sent
 * @param attempt 1, 2, ...
 * @param life of the task that wants to send; another one after each start
 */
public record SendMark(UUID delivery, int attempt, UUID life) {}
