package io.angarium.together;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The texts that lie in a place, against what an {@link Application} wrote for it.
 *
 * @param texts those of a key in their order
 */
record Delivered(List<String> texts) {
  /** Fails unless all of so many messages are there, no others, and those of each key in order. */
  void assertCompleteAndInOrder(int count) {
    Map<String, Integer> lastOfKey = new HashMap<>();
    for (String text : new LinkedHashSet<>(texts)) {
      String key = key(text);
      int number = Integer.parseInt(text.substring(key.length() + 1));
      Integer before = lastOfKey.put(key, number);
      if (!key.isEmpty() && before != null) {
        assertThat(number).as("after %d of %s", before, key).isGreaterThan(before);
      }
    }
    assertThat(new LinkedHashSet<>(texts))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, count).mapToObj(Application::text).toList());
  }

  /** Fails if something is there more often than it was handed over to the transport. */
  void assertRepeatedOnlyWhatWasHandedOverAgain(String destination, Traffic traffic) {
    Map<String, Long> copies =
        texts.stream().collect(Collectors.groupingBy(text -> text, Collectors.counting()));
    copies.forEach(
        (text, count) ->
            assertThat(count)
                .as("copies of %s", text)
                .isLessThanOrEqualTo((long) traffic.handedOver(destination, text)));
  }

  /** How many are there beyond the first of each message. */
  int repeats() {
    return repeats(texts);
  }

  /** How many of them have a key. */
  int keyedRepeats() {
    return repeats(texts.stream().filter(text -> !key(text).isEmpty()).toList());
  }

  private static int repeats(List<String> texts) {
    return texts.size() - new HashSet<>(texts).size();
  }

  private static String key(String text) {
    return text.substring(0, text.indexOf(':'));
  }
}
