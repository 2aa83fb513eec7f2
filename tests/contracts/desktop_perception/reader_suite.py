"""What every reader of pictures does."""

from actuators.desktop.finding.text_matching import find_texts
from tests.contracts.desktop_perception.bench import ReaderBench


class ReaderConformance:
    """The port ``TextReader``."""

    def test_reading_is_available(self, reader_bench: ReaderBench):
        found = reader_bench.reader.assess()
        assert (found.capability, found.available, found.remedy) == ("vision", True, "")

    async def test_texts_are_read_where_they_are(self, reader_bench: ReaderBench):
        lines = await reader_bench.reader.read(reader_bench.picture)
        assert all(0.5 <= line.confidence <= 1 for line in lines)
        for text, place in reader_bench.places.items():
            found = find_texts(text, lines)
            assert len(found) == 1, [line.text for line in lines]
            assert place.contains(*found[0].bounds.center)

    async def test_lines_come_from_above(self, reader_bench: ReaderBench):
        tops = [line.bounds.y for line in await reader_bench.reader.read(reader_bench.picture)]
        assert tops == sorted(tops)

    async def test_a_picture_is_found_where_it_is(self, reader_bench: ReaderBench):
        found = await reader_bench.reader.find_image(reader_bench.picture, str(reader_bench.needle))
        assert len(found) == 1
        place, confidence = found[0]
        assert reader_bench.places["Sign in"].contains(*place.center)
        assert 0.99 <= confidence <= 1

    async def test_a_picture_that_is_not_there_is_not_found(self, reader_bench: ReaderBench):
        assert await reader_bench.reader.find_image(reader_bench.picture, str(reader_bench.stranger)) == ()

    async def test_closing_twice_does_nothing(self, reader_bench: ReaderBench):
        await reader_bench.reader.close()
        await reader_bench.reader.close()
