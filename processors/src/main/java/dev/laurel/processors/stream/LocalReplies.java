package dev.laurel.processors.stream;

import org.apache.kafka.common.header.Headers;

/** Delivers replies to a gateway in this process without {@code laurel.replies}. Thread-safe. */
public interface LocalReplies {

    /** No gateway is in this process, or it accepts replies of committed transactions only. */
    LocalReplies NONE = (_, _) -> false;

    /**
     * Delivers a reply, or a part of one, if the request came through a gateway in this process. Never blocks. The caller may process
     * the command again, and deliver the same reply once more.
     *
     * @param headers as written by {@link dev.laurel.schemas.topic.ReplyHeaders}
     * @return false if the reply must travel
     */
    boolean deliver(Headers headers, byte[] body);
}
