package dev.laurel.query.question;

import dev.laurel.processors.core.user.Pause;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.store.OwnedReader.Entry;
import dev.laurel.processors.store.OwnedReader.Kind;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.schemas.key.UserKey;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Which pauses these users have. @param users each once */
public record FindPauses(List<UserKey> users) implements Question.OfUsers<FindPauses.Answer> {

    /** @param pauses in no order */
    public record Answer(List<Entry> pauses) {}

    @Override
    public Class<Answer> answerType() {
        return Answer.class;
    }

    @Override
    public IntStream partitionsOf(LogLayout layout) {
        return users.stream().mapToInt(user -> layout.partitionOf(user.bytes())).distinct();
    }

    @Override
    public Answer answer(Here here, List<Integer> partitions) {
        var pauses = new ArrayList<Entry>();
        for (UserKey user : users) {
            byte[] key = user.bytes();
            if (here.isAmong(partitions, key)) {
                here.partitions().readOwner(key, reader -> {
                    UserState state = reader.user(key);
                    if (state != null) {
                        for (Pause pause : state.streak().pauses()) {
                            Long createdMs = reader.owned().createdMs(Kind.PAUSE, user.tenant(), pause.id(), key);
                            pauses.add(new Entry(0, createdMs == null ? 0 : createdMs, pause.id(), key));
                        }
                    }
                    return state;
                });
            }
        }
        return new Answer(pauses);
    }

    @Override
    public Answer together(List<Answer> parts) {
        return new Answer(parts.stream().flatMap(part -> part.pauses().stream()).toList());
    }
}
