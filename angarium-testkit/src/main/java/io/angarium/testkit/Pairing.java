package io.angarium.testkit;

import io.angarium.Message;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Gives as many expectations as possible a message of their own: one that many messages meet gives
 * way to one that few do. Immutable.
 *
 * @param missing expectations that got none
 * @param unpaired messages that nobody expected
 */
record Pairing(List<ExpectedMessage> missing, List<Message> unpaired) {
  static Pairing of(List<ExpectedMessage> expected, List<Message> found) {
    int[] owners = new int[found.size()];
    Arrays.fill(owners, -1);
    List<ExpectedMessage> missing = new ArrayList<>();
    for (int i = 0; i < expected.size(); i++) {
      if (!place(i, expected, found, owners, new boolean[found.size()])) {
        missing.add(expected.get(i));
      }
    }
    List<Message> unpaired =
        IntStream.range(0, owners.length).filter(i -> owners[i] < 0).mapToObj(found::get).toList();
    return new Pairing(missing, unpaired);
  }

  /** Takes a message that is free, or whose owner finds another one. */
  private static boolean place(
      int index,
      List<ExpectedMessage> expected,
      List<Message> found,
      int[] owners,
      boolean[] tried) {
    for (int i = 0; i < owners.length; i++) {
      if (!tried[i] && expected.get(index).matches(found.get(i))) {
        tried[i] = true;
        if (owners[i] < 0 || place(owners[i], expected, found, owners, tried)) {
          owners[i] = index;
          return true;
        }
      }
    }
    return false;
  }
}
