package io.angarium.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.AnalyzerAdapter;

/** Finds methods that put a duration into a text as it is, {@code PT9S}. */
final class DurationTexts {
  private static final String DURATION = "java/time/Duration";
  private static final String OBJECTS = "[Ljava/lang/Object;";
  private static final Set<String> MAKERS_OF_TEXT =
      Set.of(
          "java/lang/String",
          "java/lang/StringBuilder",
          "java/util/Objects",
          "org/slf4j/Logger",
          "org/slf4j/spi/LoggingEventBuilder");

  private DurationTexts() {}

  static ArchCondition<JavaClass> areAsInProperties() {
    return new ArchCondition<>("write durations as they stand in properties") {
      @Override
      public void check(JavaClass item, ConditionEvents events) {
        methods(item)
            .forEach(
                method ->
                    events.add(SimpleConditionEvent.violated(item, item.getName() + "." + method)));
      }
    };
  }

  private static Set<String> methods(JavaClass item) {
    URI uri = item.getSource().orElseThrow().getUri();
    try (InputStream in = uri.toURL().openStream()) {
      Methods methods = new Methods();
      new ClassReader(in).accept(methods, ClassReader.EXPAND_FRAMES);
      return methods.found;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + uri, e);
    }
  }

  /** Looks at each method of a class but {@code toString}. */
  private static final class Methods extends ClassVisitor {
    private final Set<String> found = new TreeSet<>();
    private String owner = "";

    Methods() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visit(
        int version,
        int access,
        String name,
        @Nullable String signature,
        @Nullable String superName,
        String @Nullable [] interfaces) {
      owner = name;
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      return name.equals("toString")
          ? null
          : new Body(owner, access, name, descriptor, () -> found.add(name));
    }
  }

  /** Follows the types on the stack. */
  private static final class Body extends AnalyzerAdapter {
    private final Runnable isFound;

    /** A duration lies in an array of arguments that no method has taken yet. */
    private boolean isArgument;

    Body(String owner, int access, String name, String descriptor, Runnable isFound) {
      super(Opcodes.ASM9, owner, access, name, descriptor, null);
      this.isFound = isFound;
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.AASTORE && stack != null) {
        int size = stack.size();
        isArgument |= DURATION.equals(stack.get(size - 1)) && OBJECTS.equals(stack.get(size - 3));
      }
      super.visitInsn(opcode);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String taker, String name, String descriptor, boolean isInterface) {
      boolean several = descriptor.contains(OBJECTS);
      boolean text =
          MAKERS_OF_TEXT.contains(taker) && (takesDuration(descriptor) || (several && isArgument));
      if (text || (taker.equals(DURATION) && name.equals("toString"))) {
        isFound.run();
      }
      isArgument &= !several;
      super.visitMethodInsn(opcode, taker, name, descriptor, isInterface);
    }

    private boolean takesDuration(String descriptor) {
      int arguments = (Type.getArgumentsAndReturnSizes(descriptor) >> 2) - 1; // without this
      return stack != null
          && stack.subList(stack.size() - arguments, stack.size()).contains(DURATION);
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      boolean concatenation =
          bootstrap.getOwner().equals("java/lang/invoke/StringConcatFactory")
              && Arrays.stream(Type.getArgumentTypes(descriptor))
                  .anyMatch(type -> type.getInternalName().equals(DURATION));
      boolean reference =
          Arrays.stream(arguments)
              .anyMatch(
                  argument ->
                      argument instanceof Handle handle
                          && handle.getOwner().equals(DURATION)
                          && handle.getName().equals("toString"));
      if (concatenation || reference) {
        isFound.run();
      }
      super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
    }
  }
}
